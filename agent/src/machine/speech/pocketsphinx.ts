import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { EngineChoice, Recogniser, RecogniserListener } from '../../core/transcript/types.ts'
import { type Environment, findProgram } from '../../shared/child-process.ts'
import { startEngineProcess } from './engine-process.ts'
import { PocketsphinxLines } from './pocketsphinx-lines.ts'

const program = 'pocketsphinx_continuous'
/**
 * Node's pipes to children are sockets, which cannot be opened by name as this program does its input. When it fails,
 * the group of processes is ended (SIGTERM), as cat would not know before the next sound.
 */
const throughPipe = 'cat | { "$@" || kill -TERM 0; }'
/** What is on the way to it at the most (a socket of 208 KiB, cat's 128, a pipe of 64); older sound has been read. */
const pipeMs = 13_000
/** It says nothing of words it has begun. The track breaks utterances off after half a minute, so none is longer. */
const longestUtteranceMs = 35_000

interface Model {
  readonly acoustic: string
  readonly words: string
  readonly dictionary: string
}

const acousticFolders = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true })
  const found: string[] = []
  for (const entry of entries) {
    if (!entry.isDirectory()) continue
    const path = join(folder, entry.name)
    if ((await readdir(path)).includes('mdef')) found.push(path)
  }
  return found.sort()
}

const findModel = async (folder: string): Promise<Model | { problem: string } | undefined> => {
  const [acoustic] = await acousticFolders(folder)
  if (acoustic === undefined) return undefined
  const names = (await readdir(folder)).sort()
  const models = names.filter((name) => /\.lm(\.bin|\.dmp)?$/.test(name) && !name.includes('-phone.'))
  const words = models.find((name) => name.startsWith(`${basename(acoustic)}.`)) ?? models[0]
  const dictionary = names.find((name) => name.endsWith('.dict'))
  if (words === undefined) return { problem: 'the model folder has no language model (*.lm.bin)' }
  if (dictionary === undefined) return { problem: 'the model folder has no dictionary (*.dict)' }
  return { acoustic, words: join(folder, words), dictionary: join(folder, dictionary) }
}

/** `en-us` becomes `en-US`; a folder named otherwise says nothing. */
const languageOf = (acoustic: string): string | undefined => {
  const [, language, region] = /^([a-z]{2})[-_]([a-z]{2})$/i.exec(basename(acoustic)) ?? []
  return language && region ? `${language.toLowerCase()}-${region.toUpperCase()}` : undefined
}

const open = (command: string, model: Model, env: Environment, listener: RecogniserListener): Recogniser => {
  let lastEndMs = 0
  const lines = new PocketsphinxLines((recognised) => {
    lastEndMs = recognised.endMs
    listener.words(recognised)
  })
  const files = ['-hmm', model.acoustic, '-lm', model.words, '-dict', model.dictionary]
  // Its log repeats the words.
  const child = startEngineProcess({
    command: '/bin/sh',
    args: ['-c', throughPipe, 'sh', command, '-infile', '/dev/stdin', '-time', 'yes', ...files, '-logfn', '/dev/null'],
    env,
    onLine: (line) => lines.line(line),
    onRoom: () => listener.room(),
  })
  return {
    accept: (pcm) => child.write(pcm),
    takenMs: () => Math.max(lastEndMs, child.handedMs() - pipeMs),
    settledMs: () => Math.max(lastEndMs, child.handedMs() - pipeMs - longestUtteranceMs),
    finish: () => child.end(),
    kill: () => child.kill(),
    ended: child.ended.then((ending) => {
      lines.flush()
      return ending
    }),
  }
}

/**
 * PocketSphinx (Carnegie Mellon, BSD) by its own program, which reads sound as it comes and gives the words of an
 * utterance at its end, so all are final. For a folder that holds an acoustic model, a language model and a dictionary
 * as Debian's pocketsphinx-en-us does; undefined for another. Runs on Linux; elsewhere there is no such program.
 */
export const choosePocketsphinx = async (folder: string, env: Environment): Promise<EngineChoice | undefined> => {
  const model = await findModel(folder)
  if (!model || 'problem' in model) return model
  const command = findProgram(program, env)
  if (command === undefined) return { problem: `the program ${program} was not found` }
  const language = languageOf(model.acoustic)
  return { engine: { name: 'pocketsphinx', language, open: (listener) => open(command, model, env, listener) } }
}
