# A server without network needs: `docker build -t maskwise . && docker run --rm -p 127.0.0.1:8391:8391 ... maskwise`.
# compose.yaml has the one command that starts it with a token. tools/check_container.py runs these steps without Docker.
# The build has compilers and a shell; the image has what the server loads, and neither.
FROM python:3.11 AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
COPY tools/build_image_root.py ./tools/
RUN python -m venv /opt/maskwise \
 && /opt/maskwise/bin/pip install --no-cache-dir --no-compile ".[server,office,pdf]" \
 && python tools/build_image_root.py /opt/maskwise /image \
 && chmod 1777 /image/tmp && chown 10001:10001 /image/state

FROM scratch
COPY --from=build /image /
ENV PATH=/opt/maskwise/bin LD_LIBRARY_PATH=/usr/local/lib PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 MASKWISE_HOME=/state ORT_DISABLE_TELEMETRY=1
USER 10001:10001
VOLUME ["/state"]
EXPOSE 8391
HEALTHCHECK --interval=10s --start-period=60s CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8391/readyz', timeout=5)"]
ENTRYPOINT ["maskwise", "serve"]
CMD ["--config", "/etc/maskwise/serve.yaml"]
