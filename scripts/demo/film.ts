import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { claim, DemoFailure, mebibytes, say } from './say.ts'
import type { DemoService } from './service.ts'

const patienceMs = 60_000

const rendered = async ({ api }: DemoService, id: string) => {
  const started = Date.now()
  let shown = -1
  for (;;) {
    const { data } = await api.call('compositions.get', { params: { id } })
    if (data.status === 'ready') return data
    if (data.status === 'failed' || Date.now() - started > patienceMs)
      throw new DemoFailure(`the film is ${data.status}: ${data.failure ?? 'it takes too long'}`)
    const percent = Math.round(data.progress * 100)
    if (percent >= shown + 25) {
      shown = percent
      say(`    the film is rendered: ${percent} %`)
    }
    await delay(500)
  }
}

/** Has the picture-in-picture film of the session rendered, and keeps it in `folder`. */
export const renderFilm = async (service: DemoService, sessionId: string, folder: string): Promise<void> => {
  const { api } = service
  const { data: list } = await api.call('sessions.compositions.list', { params: { id: sessionId } })
  const id = list.items[0]?.id ?? ''
  await api.call('compositions.render', { params: { id } })
  const film = await rendered(service, id)
  const { data } = await api.call('compositions.downloadUrl', { params: { id } })
  const bytes = Buffer.from(await (await fetch(data.url)).arrayBuffer())
  const same = createHash('sha256').update(bytes).digest('hex') === film.integrity?.outputSha256
  const length = ((film.durationMs ?? 0) / 1000).toFixed(0)
  claim(same, `the film: ${length} s of screen, camera and microphone in ${mebibytes(bytes.length)}`, id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'interview.mp4')
  await writeFile(file, bytes)
  say(`    kept as ${file}`)
}
