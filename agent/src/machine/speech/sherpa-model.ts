import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The files of a streaming model as sherpa-onnx takes them. */
export interface SherpaModel {
  readonly kind: 'transducer' | 'paraformer'
  readonly encoder: string
  readonly decoder: string
  /** Of transducers only. */
  readonly joiner?: string | undefined
  readonly tokens: string
}

/** `encoder-epoch-99-avg-1.int8.onnx` and the like; 8-bit weights need a quarter of the memory and less time. */
const pick = (names: readonly string[], part: string): string | undefined => {
  const found = names.filter((name) => name.startsWith(part) && name.endsWith('.onnx'))
  return found.find((name) => name.endsWith('.int8.onnx')) ?? found[0]
}

/** The streaming model that a folder holds; undefined when there is no sherpa-onnx model in it. */
export const findSherpaModel = async (folder: string): Promise<SherpaModel | { problem: string } | undefined> => {
  const names = (await readdir(folder)).sort()
  const [encoder, decoder, joiner] = ['encoder', 'decoder', 'joiner'].map((part) => pick(names, part))
  if (encoder === undefined && decoder === undefined && joiner === undefined) return undefined
  if (encoder === undefined || decoder === undefined)
    return { problem: `the model folder has no ${encoder === undefined ? 'encoder' : 'decoder'}*.onnx` }
  if (!names.includes('tokens.txt')) return { problem: 'the model folder has no tokens.txt' }
  const path = (name: string): string => join(folder, name)
  const files = { encoder: path(encoder), decoder: path(decoder), tokens: path('tokens.txt') }
  if (joiner === undefined) return { kind: 'paraformer', ...files }
  return { kind: 'transducer', ...files, joiner: path(joiner) }
}
