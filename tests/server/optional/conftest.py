from tests.server.optional.processes import provider  # noqa: F401 - a fixture
