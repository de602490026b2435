import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { type WebSocket, WebSocketServer } from 'ws'
import { decodeFrame, encodeFrame } from '../../src/machine/page/frames.ts'
import type { CapturePage, CapturePages } from '../../src/machine/page/page-port.ts'
import { type Environment, findProgram } from '../../src/shared/child-process.ts'
import { until } from './until.ts'

const agent = resolve(import.meta.dirname, '../..')
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' }

/** Builds the capture page as it is shipped, and beside it the bridge that stands in for the shell's preload. */
export const buildCapturePage = async (folder: string): Promise<void> => {
  const quiet = { logLevel: 'error' } as const
  await build({ ...quiet, configFile: join(agent, 'build/capture-page.config.ts'), build: { outDir: folder } })
  const entry = join(agent, 'src/shell/capture-page/test-support/web-socket-bridge.ts')
  const lib = { entry, formats: ['es' as const], fileName: () => 'bridge.js' }
  await build({ ...quiet, configFile: false, build: { outDir: folder, emptyOutDir: false, lib } })
}

export interface CaptureBrowserOptions {
  /** The built page. */
  folder: string
  env: Environment
  /** Further arguments for the browser: fake devices, which screen is given. */
  args?: string[]
}

/** A real browser with the real capture page in it. */
export interface CaptureBrowser {
  pages: CapturePages
  /** The page that was opened last. */
  page(): Page
  url: string
  browser: Browser
  /** Errors of the page's console: breaches of its policy are among them. */
  errors: string[]
  /** How often a page has connected. */
  connections(): number
  /** Ends the page's process. */
  crash(): Promise<void>
  /** Opens the page again, as the shell does after a crash. */
  reopen(): Promise<void>
  stop(): Promise<void>
}

const browserArgs = [
  '--no-sandbox',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-background-timer-throttling',
]

const serve = (folder: string): Server =>
  createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://page').pathname
    const file = path === '/' ? 'index.html' : path.slice(1)
    readFile(join(folder, file)).then(
      (bytes) => {
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream')
        // Only the bridge may connect, and only here.
        const html = bytes.toString().replace("connect-src 'none'", "connect-src 'self'")
        const script = '<script type="module" src="./bridge.js"></script></body>'
        response.end(file === 'index.html' ? html.replace('</body>', script) : bytes)
      },
      () => response.writeHead(404).end(),
    )
  })

const socketPage = (socket: WebSocket): CapturePage => ({
  closed: new Promise((done) => void socket.once('close', () => done())),
  send: (command) => socket.send(encodeFrame({ ...command })),
  onMessage: (listener) => {
    const heard = (data: Buffer): void => listener(decodeFrame(new Uint8Array(data)))
    socket.on('message', heard)
    return () => void socket.off('message', heard)
  },
})

const listen = async (folder: string) => {
  const server = serve(folder)
  const sockets = new WebSocketServer({ server })
  let living: CapturePage | undefined
  let count = 0
  sockets.on('connection', (socket) => {
    const page = socketPage(socket)
    living = page
    count += 1
    void page.closed.then(() => {
      if (living === page) living = undefined
    })
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const current = async (): Promise<CapturePage> => {
    await until('the capture page', () => living !== undefined)
    return living!
  }
  const stop = async (): Promise<void> => {
    for (const socket of sockets.clients) socket.terminate()
    await new Promise((done) => void server.close(done))
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, current, stop, connections: () => count }
}

export const startCaptureBrowser = async (options: CaptureBrowserOptions): Promise<CaptureBrowser> => {
  const { folder, env, args = [] } = options
  const host = await listen(folder)
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? findProgram('chromium'),
    headless: false,
    env: env as Record<string, string>,
    ignoreDefaultArgs: ['--mute-audio'],
    args: [...browserArgs, ...args],
  })
  const context = await browser.newContext({ viewport: null, permissions: ['camera', 'microphone'] })
  const errors: string[] = []
  const openPage = async (): Promise<Page> => {
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(host.url)
    await host.current()
    return page
  }
  let page = await openPage()
  return {
    pages: { current: host.current },
    page: () => page,
    url: host.url,
    browser,
    errors,
    connections: host.connections,
    crash: async () => {
      await page.goto('chrome://crash').catch(() => undefined)
    },
    reopen: async () => {
      page = await openPage()
    },
    stop: async () => {
      await browser.close()
      await host.stop()
    },
  }
}
