// The packaged application's own main process in a plain Node, with the fake in the place of `electron`: started by
// packaged-app.test.ts with the folder of the application and the one of the user's data. It does what it is told on
// stdin, a JSON line each, and answers each with a JSON line.
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { until } from '../test-support/until.ts'

const [appDir = '', userData = '', ...more] = process.argv.slice(2)
const fakeUrl = pathToFileURL(join(import.meta.dirname, 'fake-electron.ts')).href
registerHooks({
  resolve: (name, context, next) =>
    name === 'electron' ? { url: fakeUrl, format: 'module-typescript', shortCircuit: true } : next(name, context),
})

const { app, electron } = (await import(fakeUrl)) as typeof import('./fake-electron.ts')
electron.reset(userData)
// There is no Chromium to be the hidden page.
electron.failLoads = 'app://capture/'
electron.lock = !more.includes('--second')
// Where Electron finds what is beside the archive.
Object.assign(process, { resourcesPath: dirname(appDir) })
const say = (answer: unknown): void => void process.stdout.write(`${JSON.stringify(answer ?? null)}\n`)
// Electron ends the process here.
app.once('quitted', () => {
  say({ quitted: true })
  process.exit(0)
})
// As in Electron, where nothing is ready before the entry was evaluated to its end.
const { promise, resolve } = Promise.withResolvers<void>()
electron.ready = promise
await import(pathToFileURL(join(appDir, 'main/main.js')).href)
resolve()
await until('a window', () => electron.windows.length > 0)

const actions: Record<string, (input: never) => unknown> = {
  invoke: ({ channel, input }: { channel: string; input: unknown }) => {
    const { webContents } = electron.windows[0]!
    return electron.handlers.get(channel)?.({ sender: webContents, senderFrame: webContents.mainFrame }, input)
  },
  channels: () => [...electron.handlers.keys()],
  secondInstance: (args: string[]) => app.emit('second-instance', {}, args, '/'),
  pages: async (urls: string[]) =>
    Promise.all(urls.map(async (url) => (await electron.sessions[0]!.pages!(new Request(url))).status)),
  page: async (url: string) => {
    const answer = await electron.sessions[0]!.pages!(new Request(url))
    const body = Buffer.from(await answer.arrayBuffer()).toString('base64')
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body }
  },
  closeWindow: () => electron.windows[0]?.close(),
  seen: () => ({ questions: electron.questions, trayImage: electron.trays[0]?.image, errors: electron.errorBoxes }),
}
say({ started: true })
for await (const line of createInterface({ input: process.stdin })) {
  const [name, input] = JSON.parse(line) as [string, never]
  try {
    say({ value: await actions[name]?.(input) })
  } catch (error) {
    say({ error: String(error) })
  }
}
