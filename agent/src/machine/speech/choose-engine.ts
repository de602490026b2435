import { stat } from 'node:fs/promises'
import type { Capability } from '../../core/session/ports.ts'
import type { EngineChoice } from '../../core/transcript/types.ts'
import type { Environment } from '../../shared/child-process.ts'
import { choosePocketsphinx } from './pocketsphinx.ts'
import { chooseSherpa, type LaunchSherpa } from './sherpa.ts'

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

/** The engine for what the model folder holds, or why there is none. Nothing is ever fetched. */
export const chooseEngine = async (
  modelFolder: string | undefined,
  env: Environment = process.env,
  launchSherpa?: LaunchSherpa,
): Promise<EngineChoice> => {
  if (modelFolder === undefined) return { problem: 'no speech model on this computer' }
  if (!(await isFolder(modelFolder))) return { problem: 'the folder of the speech model is not there' }
  try {
    const choice = (await chooseSherpa(modelFolder, env, launchSherpa)) ?? (await choosePocketsphinx(modelFolder, env))
    return choice ?? { problem: 'the model folder holds no speech model that is known here' }
  } catch (error) {
    return { problem: `the model folder could not be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}` }
  }
}

/** What the capability list says of the transcript on this machine. */
export const transcriptCapability = async (
  modelFolder: string | undefined,
  env: Environment = process.env,
): Promise<Capability> => {
  const choice = await chooseEngine(modelFolder, env)
  return 'engine' in choice
    ? { observer: 'transcript', status: 'observable' }
    : { observer: 'transcript', status: 'not_observable', why: choice.problem }
}
