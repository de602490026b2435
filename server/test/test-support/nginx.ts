import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newSelfSigned } from '../../src/platform/crypto/self-signed.ts'
import { until } from './until.ts'

export interface Nginx {
  readonly url: string
  readonly certificate: string
  stop(): Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const answers = async (url: string): Promise<boolean> => {
  const { hostname, port } = new URL(url)
  const { connect } = await import('node:net')
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * The example of `server/packaging` in front of a server, with its names, ports and files replaced and nothing else. A second
 * one stands where its comment says that further ones stand.
 */
export const startNginx = async (upstream: string, second?: string): Promise<Nginx> => {
  const folder = await mkdtemp(join(tmpdir(), 'integrity-nginx-'))
  const port = await freePort()
  const { key, certificate } = await newSelfSigned(
    'service.example.org',
    Date.now() - 86_400_000,
    Date.now() + 86_400_000,
  )
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  await writeFile(join(folder, 'certificate.pem'), certificate)
  const example = await readFile(new URL('../../packaging/nginx.conf', import.meta.url), 'utf8')
  const site = example
    .replace('127.0.0.1:8787', new URL(upstream).host)
    .replace(
      second === undefined ? '' : '#server 127.0.0.1:8789',
      second === undefined ? '' : `server ${new URL(second).host}`,
    )
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/certs/service.example.org.pem', join(folder, 'certificate.pem'))
    .replace('/etc/ssl/private/service.example.org.key', join(folder, 'key.pem'))
  const bodies = join(folder, 'bodies')
  const places = ['proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')
  const whole = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
    events { worker_connections 256; }
    http { access_log off; client_body_temp_path ${bodies}; ${places}\n${site}\n}`
  await writeFile(join(folder, 'nginx.conf'), whole)
  const child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const ended = once(child, 'close')
  const url = `https://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`)
    return answers(url)
  })
  // Without it a body that nginx wants to keep on its disk fails.
  await rm(bodies, { recursive: true })
  return {
    url,
    certificate,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
