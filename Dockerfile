# Stockbridge in a container: docker build -t stockbridge . && docker run -v stockbridge:/data -v ./config:/config:ro stockbridge
# The root file system may be read-only; everything that is kept is in /data.

FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages are the pinned Node, which the base has, and speed-ups.
RUN npm ci --omit=dev --omit=optional

FROM node:26.10.0-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends redis-server \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/log/* \
  && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn* \
  && printf '#!/bin/sh\nexec node --max-semi-space-size=8 --heap-growing-percent=40 /app/src/main.ts "$@"\n' > /usr/local/bin/stockbridge \
  && chmod 755 /usr/local/bin/stockbridge \
  && install -d -m 700 -o 1000 -g 1000 /data
COPY --from=packages /app/node_modules /app/node_modules
COPY package.json /app/
COPY migrations /app/migrations
COPY config /app/config
COPY src /app/src

# Relative paths of the configuration start here: config/stockbridge.yaml is /config/stockbridge.yaml, and data is /data.
WORKDIR /
USER 1000:1000
VOLUME /data
EXPOSE 8080 9090
ENV NODE_ENV=production
# Where the admin port is, as seen from inside, if the configuration moves it.
ENV STOCKBRIDGE_ADMIN=http://127.0.0.1:9090
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.STOCKBRIDGE_ADMIN + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["stockbridge"]
CMD ["run"]
