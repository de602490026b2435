import { fileURLToPath } from 'node:url'
import type { EngineChoice, Recogniser, RecogniserListener } from '../../core/transcript/types.ts'
import type { Environment } from '../../shared/child-process.ts'
import { type EngineListener, type EngineProcess, startEngineProcess } from './engine-process.ts'
import { findSherpaModel, type SherpaModel } from './sherpa-model.ts'
import { type SherpaLine, sherpaLine } from './sherpa-wire.ts'

/** Beside this file; in a build, where everything else is one file, beside that. */
export const sherpaScript = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? 'sherpa-process.ts' : 'sherpa-process.js', import.meta.url),
)

/** Starts `sherpaScript` with these arguments. Electron's shell has a way of its own (a utility process). */
export type LaunchSherpa = (args: readonly string[], listener: EngineListener) => EngineProcess

/** By the Node that runs this. An Electron whose build forbids to run as Node needs another way. */
const launchNode =
  (env: Environment): LaunchSherpa =>
  (args, listener) =>
    startEngineProcess({
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', sherpaScript, ...args],
      env,
      ...listener,
    })

/** Undefined for what is no whole line of ours: a native library may print, and a killed process stops in the middle. */
const readLine = (line: string): SherpaLine | undefined => {
  try {
    return sherpaLine.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

const open = (model: SherpaModel, launch: LaunchSherpa, listener: RecogniserListener): Recogniser => {
  const progress = { takenMs: 0, settledMs: 0 }
  let failure: string | undefined
  const take = (line: string): void => {
    const said = readLine(line)
    if (said?.type === 'progress') Object.assign(progress, said)
    else if (said?.type === 'failed') failure = said.why
    else if (said) listener.words(said)
  }
  const child = launch([JSON.stringify(model)], { onLine: take, onRoom: () => listener.room() })
  return {
    accept: (pcm) => child.write(pcm),
    takenMs: () => progress.takenMs,
    settledMs: () => progress.settledMs,
    finish: () => child.end(),
    kill: () => child.kill(),
    ended: child.ended.then((ending) => ({ ...ending, why: failure ?? ending.why })),
  }
}

/**
 * sherpa-onnx (next-gen Kaldi, Apache-2.0) with a streaming transducer or paraformer model; undefined for a folder
 * without one. The folder does not name its language. Run on Linux, with a small LSTM transducer made for the tests: for
 * a zipformer the engine reads the same three files. A paraformer was not run, nor was it on macOS or Windows.
 */
export const chooseSherpa = async (
  folder: string,
  env: Environment,
  launch: LaunchSherpa = launchNode(env),
): Promise<EngineChoice | undefined> => {
  const model = await findSherpaModel(folder)
  if (!model || 'problem' in model) return model
  return { engine: { name: 'sherpa-onnx', language: undefined, open: (listener) => open(model, launch, listener) } }
}
