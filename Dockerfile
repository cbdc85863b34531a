# Stockbridge in a container: docker build -t stockbridge . && docker run -v stockbridge:/data -v ./config:/config:ro stockbridge
# The root file system may be read-only; everything that is kept is in /data.

FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages are the pinned Node, which the base has, and speed-ups.
RUN npm ci --omit=dev --omit=optional
# Nothing runs what is for people, for compilers and for other systems.
RUN find node_modules -type f \( -name '*.d.ts' -o -name '*.d.?ts' -o -name '*.map' -o -name '*.md' \) -delete \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete

# What the program needs of a system: Node, redis-server, a shell to start them, and their libraries.
FROM node:26.10.0-bookworm-slim AS system
RUN apt-get update && apt-get install -y --no-install-recommends redis-server binutils
WORKDIR /system
RUN printf '#!/bin/sh\nexec node --max-semi-space-size=8 --heap-growing-percent=40 /app/src/main.ts "$@"\n' > /usr/local/bin/stockbridge \
  && chmod 755 /usr/local/bin/stockbridge \
  && cp --parents /usr/local/bin/stockbridge /usr/local/bin/node /usr/bin/redis-server /bin/sh . \
  && ldd usr/local/bin/node usr/bin/redis-server bin/sh | grep -o '/lib[^ ]*' | sort -u | xargs cp --parents -L -t . \
  && strip usr/local/bin/node \
  && mkdir -p etc tmp && chmod 1777 tmp \
  && echo 'node:x:1000:1000::/data:/bin/sh' > etc/passwd
COPY --from=packages /app/node_modules app/node_modules
COPY package.json app/
COPY migrations app/migrations
COPY config app/config
COPY src app/src
# Most of a start is the compiling of the same modules, so they are compiled here, by the user who will run them.
ENV NODE_COMPILE_CACHE=/app/.cache
RUN install -d -o 1000 app/.cache \
  && chroot --userspec=1000:1000 . /usr/local/bin/stockbridge run --help >/dev/null \
  && chown -R root:root app/.cache && chmod -R a+rX app/.cache
RUN install -d -m 700 -o 1000 -g 1000 /owned/data

FROM scratch
COPY --from=system /system /
COPY --from=system --chown=1000:1000 /owned /

# Relative paths of the configuration start here: config/stockbridge.yaml is /config/stockbridge.yaml, and data is /data.
WORKDIR /
USER 1000:1000
VOLUME /data
EXPOSE 8080 9090
ENV PATH=/usr/local/bin:/usr/bin:/bin
ENV NODE_ENV=production
ENV NODE_COMPILE_CACHE=/app/.cache
# Where the admin port is, as seen from inside, if the configuration moves it.
ENV STOCKBRIDGE_ADMIN=http://127.0.0.1:9090
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.STOCKBRIDGE_ADMIN + '/livez').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["stockbridge"]
CMD ["run"]
