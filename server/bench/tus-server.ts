// The baseline of the upload bench: @tus/server with its file store, on a fresh folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'

const directory = mkdtempSync(join(process.env['BENCH_DIR'] ?? tmpdir(), 'tus-'))
const tus = new Server({ path: '/files', datastore: new FileStore({ directory }) })
const server = createServer((request, response) => void tus.handle(request, response))
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ url: `http://127.0.0.1:${port}`, pid: process.pid })
})
process.on('disconnect', () => {
  rmSync(directory, { recursive: true, force: true })
  process.exit(0)
})
