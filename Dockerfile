# Mutatis with what it needs to test an endpoint: docker build -t mutatis . && docker run --rm mutatis demo
# A run of your own: docker run --rm -v "$PWD:/work" -e OPENAI_API_KEY mutatis run my.toml --out out
FROM python:3.12-slim
COPY . /src
RUN pip install --no-cache-dir -c /src/constraints.txt /src && rm -rf /src && useradd --create-home mutatis
USER mutatis
WORKDIR /work
ENTRYPOINT ["mutatis"]
