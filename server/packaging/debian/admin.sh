#!/bin/sh
# The operator's commands, as the user and with the settings of the service: the program reads the file as systemd does.
set -e
if [ "$(id -u)" = 0 ]; then
  exec runuser -u interview-integrity -- "$0" "$@"
fi
exec env -i PATH="$PATH" ${LANG:+LANG="$LANG"} ${MINISIGN_PASSWORD:+MINISIGN_PASSWORD="$MINISIGN_PASSWORD"} \
  NODE_ENV=production DATA_DIR=/var/lib/interview-integrity \
  /usr/lib/interview-integrity/node_modules/.bin/node --disable-warning=ExperimentalWarning \
  /usr/lib/interview-integrity/server/src/app/admin.ts --settings /etc/interview-integrity/server.env "$@"
