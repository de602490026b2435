#!/bin/sh
# The operator's commands, as the user and with the settings of the service.
set -e
if [ "$(id -u)" = 0 ]; then
  exec runuser -u interview-integrity -- "$0" "$@"
fi
set -a
. /etc/interview-integrity/server.env
set +a
export NODE_ENV=production DATA_DIR="${DATA_DIR:-/var/lib/interview-integrity}"
exec /usr/lib/interview-integrity/node_modules/.bin/node --disable-warning=ExperimentalWarning \
  /usr/lib/interview-integrity/server/src/app/admin.ts "$@"
