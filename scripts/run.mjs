#!/usr/bin/env node
// The door to every command: `npm start`, `npm test` and the others come here on whatever Node is installed. It sets the
// tree up when that is needed and hands over to the Node 26 that the lockfile brings. Everything it says goes to stderr:
// stdout belongs to the command alone. This file itself uses no syntax that an old Node could trip over.
const major = Number(process.versions.node.split('.')[0])
if (major < 20) {
  console.error(
    'This project needs Node.js 20 or newer to set itself up; this is Node.js ' +
      process.versions.node +
      ".\nInstall a current Node.js (https://nodejs.org, or your system's package manager) and run the same command again.",
  )
  process.exitCode = 1
} else {
  import('./bootstrap/main.mjs').then(
    (bootstrap) => bootstrap.main(process.argv.slice(2)),
    (problem) => {
      console.error(problem)
      process.exitCode = 1
    },
  )
}
