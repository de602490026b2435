import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../../test/test-support/until.ts'
import { canRunWith } from '../../../test/test-support/virtual-desktop.ts'
import { bytesPerMs } from '../../core/capture/pcm.ts'
import type { Recognised, Recogniser, SpeechEngine } from '../../core/transcript/types.ts'
import { chooseEngine, transcriptCapability } from './choose-engine.ts'
import { type EnginePeer, engineOverMessages } from './engine-messages.ts'
import { type LaunchSherpa, sherpaScript } from './sherpa.ts'
import { englishModel, silence, speak, speechPrograms, tone } from './test-support/speech.ts'
import { writeToneModel } from './test-support/tone-model.ts'

const engineOf = async (folder: string, env?: Record<string, string>): Promise<SpeechEngine> => {
  const choice = await chooseEngine(folder, env)
  if ('problem' in choice) throw new Error(choice.problem)
  return choice.engine
}

/** Opens an engine and keeps what it says. */
const open = (engine: SpeechEngine) => {
  const words: Recognised[] = []
  let rooms = 0
  const recogniser = engine.open({
    words: (recognised) => words.push(recognised),
    room: () => {
      rooms += 1
    },
  })
  return { recogniser, words, rooms: () => rooms }
}

/** As a lane confirms it: tenths of a second. */
const give = (recogniser: Recogniser, pcm: Buffer): void => {
  for (let at = 0; at < pcm.length; at += bytesPerMs * 100) recogniser.accept(pcm.subarray(at, at + bytesPerMs * 100))
}

describe.skipIf(!canRunWith('pocketsphinx', [...speechPrograms]))('pocketsphinx', () => {
  it('writes down a sentence, with the time at which it was said', async () => {
    const engine = await engineOf(englishModel)
    expect([engine.name, engine.language]).toEqual(['pocketsphinx', 'en-US'])
    const { recogniser, words } = open(engine)
    const sentence = await speak('the door of the house is open')
    give(recogniser, silence(2))
    give(recogniser, sentence)
    give(recogniser, sentence)
    // While it still listens: a sentence comes out at its end, not at the end of everything.
    await until('the first sentence', () => words.length > 0, 100_000)
    recogniser.finish()
    expect(await recogniser.ended).toMatchObject({ complete: true })
    expect(words.map(({ text }) => text).join(' ')).toContain('the door of the house is open')
    const second = words.at(-1)!
    const secondSaidAt = 2000 + sentence.length / bytesPerMs + 1500
    expect(second).toMatchObject({ final: true, confidence: expect.any(Number) })
    expect(Math.abs(second.startMs - secondSaidAt)).toBeLessThan(600)
    expect(second.endMs).toBeGreaterThan(second.startMs + 1000)
    expect(recogniser.settledMs()).toBeGreaterThanOrEqual(second.endMs)
  })

  it('makes no words of silence', async () => {
    const { recogniser, words } = open(await engineOf(englishModel))
    give(recogniser, silence(20))
    recogniser.finish()
    expect(await recogniser.ended).toMatchObject({ complete: true })
    expect(words).toEqual([])
  })

  it('says that it did not finish when it is killed', async () => {
    const { recogniser } = open(await engineOf(englishModel))
    give(recogniser, silence(2))
    recogniser.kill()
    expect(await recogniser.ended).toEqual({ complete: false, why: 'SIGKILL' })
  })
})

describe('a streaming transducer in sherpa-onnx', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-model-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('tells words while they are said and again when they are firm, at their times', async () => {
    const engine = await engineOf(await writeToneModel(folder))
    expect(engine.name).toBe('sherpa-onnx')
    const { recogniser, words } = open(engine)
    give(recogniser, silence(1))
    give(recogniser, await tone('low'))
    await until('words that are not firm', () => words.some(({ final, text }) => !final && text === 'low'))
    give(recogniser, await tone('high'))
    give(recogniser, await tone('low'))
    recogniser.finish()
    expect(await recogniser.ended).toMatchObject({ complete: true })
    const firm = words.filter(({ final }) => final)
    expect(firm.map(({ text }) => text)).toEqual(['low', 'high', 'low'])
    const [low, high] = firm
    expect(Math.abs(low!.startMs - 1000)).toBeLessThan(300)
    expect(Math.abs(high!.startMs - 2800)).toBeLessThan(300)
    expect(low!.confidence).toBeGreaterThan(0.5)
    expect(recogniser.takenMs()).toBe(6400)
    expect(recogniser.settledMs()).toBe(6400)
  })

  it('makes no words of silence, and knows that all of it is done with', async () => {
    const { recogniser, words } = open(await engineOf(await writeToneModel(folder)))
    give(recogniser, silence(3))
    await until('the silence to be read', () => recogniser.settledMs() >= 2500)
    recogniser.finish()
    await recogniser.ended
    expect(words).toEqual([])
  })

  it('does the same by messages, where there are no pipes', async () => {
    const launch: LaunchSherpa = (args, listener) => {
      const worker = new Worker(sherpaScript, { argv: [...args] })
      const peer: EnginePeer = {
        pid: undefined,
        postMessage: (message) => worker.postMessage(message),
        onMessage: (told) => void worker.on('message', told),
        onExit: (told) => void worker.once('exit', told),
        kill: () => void worker.terminate(),
      }
      return engineOverMessages(peer, listener)
    }
    const choice = await chooseEngine(await writeToneModel(folder), undefined, launch)
    if ('problem' in choice) throw new Error(choice.problem)
    const { recogniser, words, rooms } = open(choice.engine)
    expect(recogniser.accept(silence(1))).toBe(true)
    expect(recogniser.accept(silence(1))).toBe(false)
    await until('room', () => rooms() === 1)
    give(recogniser, await tone('high'))
    recogniser.finish()
    expect(await recogniser.ended).toEqual({ complete: true, why: 'exit code 0' })
    expect(words.filter(({ final }) => final).map(({ text }) => text)).toEqual(['high'])
    const killed = open(choice.engine).recogniser
    killed.accept(silence(1))
    killed.kill()
    expect(await killed.ended).toMatchObject({ complete: false })
  })

  it('ends, and takes only itself along, when the model is damaged', async () => {
    const engine = await engineOf(await writeToneModel(folder))
    await writeFile(join(folder, 'encoder.onnx'), 'not a model')
    const { recogniser } = open(engine)
    give(recogniser, silence(1))
    expect(await recogniser.ended).toMatchObject({ complete: false })
  })
})

describe('the choice of an engine', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-model-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is none without a folder, with one that is not there, and with one that holds something else', async () => {
    expect(await chooseEngine(undefined)).toEqual({ problem: 'no speech model on this computer' })
    expect(await chooseEngine(join(folder, 'gone'))).toEqual({ problem: 'the folder of the speech model is not there' })
    await writeFile(join(folder, 'letter.txt'), 'hello')
    expect(await chooseEngine(folder)).toEqual({ problem: 'the model folder holds no speech model that is known here' })
  })

  it('says which part of a model is missing', async () => {
    await writeFile(join(folder, 'encoder-epoch-9.int8.onnx'), '')
    expect(await chooseEngine(folder)).toEqual({ problem: 'the model folder has no decoder*.onnx' })
    await writeFile(join(folder, 'decoder-epoch-9.onnx'), '')
    expect(await chooseEngine(folder)).toEqual({ problem: 'the model folder has no tokens.txt' })
    const other = join(folder, 'sphinx')
    await mkdir(join(other, 'en-us'), { recursive: true })
    await writeFile(join(other, 'en-us', 'mdef'), '')
    expect(await chooseEngine(other)).toEqual({ problem: 'the model folder has no language model (*.lm.bin)' })
    await writeFile(join(other, 'en-us.lm.bin'), '')
    expect(await chooseEngine(other)).toEqual({ problem: 'the model folder has no dictionary (*.dict)' })
    await writeFile(join(other, 'words.dict'), '')
    expect(await chooseEngine(other, { PATH: '' })).toEqual({
      problem: 'the program pocketsphinx_continuous was not found',
    })
  })

  it('is told in the capability list', async () => {
    expect(await transcriptCapability(await writeToneModel(folder))).toEqual({
      observer: 'transcript',
      status: 'observable',
    })
    expect(await transcriptCapability(undefined)).toEqual({
      observer: 'transcript',
      status: 'not_observable',
      why: 'no speech model on this computer',
    })
  })
})
