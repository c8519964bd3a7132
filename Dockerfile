# A server without network needs: `docker build -t maskwise . && docker run --rm -p 127.0.0.1:8391:8391 ... maskwise`.
# compose.yaml has the one command that starts it with a token. tools/check_container.py runs these steps without Docker.
FROM python:3.11-slim AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/maskwise \
 && /opt/maskwise/bin/pip install --no-cache-dir --no-compile ".[server,office,pdf]" \
 && /opt/maskwise/bin/pip uninstall --yes pip setuptools \
 && find /opt/maskwise -name __pycache__ -prune -exec rm -rf {} + \
 && find /opt/maskwise -type d -name tests -prune -exec rm -rf {} +

FROM python:3.11-slim
RUN useradd --system --uid 10001 --no-create-home maskwise && mkdir /state && chown maskwise /state
COPY --from=build /opt/maskwise /opt/maskwise
ENV PATH=/opt/maskwise/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 MASKWISE_HOME=/state
USER 10001
VOLUME ["/state"]
EXPOSE 8391
HEALTHCHECK --interval=10s --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8391/readyz', timeout=5)"]
ENTRYPOINT ["maskwise", "serve"]
CMD ["--config", "/etc/maskwise/serve.yaml"]
