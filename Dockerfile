# syntax=docker/dockerfile:1
# agentd in a container: only what runs, as a user without rights, its data in a volume. docs/deploy.md says how to start it.
ARG NODE=node:22-bookworm-slim

FROM ${NODE} AS build
# For SQLite's driver, where no binary fits.
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 make g++ \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build \
    && npx --no-install tsx build/package.ts /tmp \
    && npm install --prefix /opt/agentd --no-audit --no-fund --omit=dev /tmp/agentd-*.tgz

FROM ${NODE}
# tini is process 1: it passes signals on, and reaps what programs started by an application leave behind.
RUN apt-get update \
    && apt-get install -y --no-install-recommends tini \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o node -g node -m 0700 /data
COPY --from=build /opt/agentd /opt/agentd
ENV PATH=/opt/agentd/node_modules/.bin:$PATH \
    NODE_ENV=production \
    AGENTD_DATA_DIR=/data \
    AGENTD_HOST=0.0.0.0 \
    AGENTD_PORT=4242
USER node
WORKDIR /data
VOLUME /data
EXPOSE 4242
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:4242/-/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# 0.0.0.0 needs a token: AGENTD_TOKEN, or AGENTD_TOKEN_FILE with the path of a secret. Without one it says so and ends.
ENTRYPOINT ["tini", "--", "agentd"]
CMD ["serve"]
