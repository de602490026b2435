import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeOnnx } from './onnx.ts'

/** What the model "hears", each as a word: two tones and the blank. Bands of 80 mel filters where the tone is loudest. */
const tones = [
  { word: 'low', hertz: 500 },
  { word: 'high', hertz: 3000 },
] as const
export type ToneWord = (typeof tones)[number]['word']
export const toneHertz = Object.fromEntries(tones.map(({ word, hertz }) => [word, hertz])) as Record<ToneWord, number>

const bands = 80
/** Blank, unknown, then the words. */
const size = tones.length + 2
const frames = 9
const step = 4

const mel = (hertz: number): number => 1127 * Math.log(1 + hertz / 700)
/** The filter of Kaldi's bank (20 Hz to 400 Hz below half the rate) in whose middle the tone lies. */
const bandOf = (hertz: number): number => Math.round(((mel(hertz) - mel(20)) / (mel(7600) - mel(20))) * (bands + 1)) - 1

/** For each word: how much louder (natural log) its band is than all bands together. */
const weights = (): Float32Array => {
  const data = new Float32Array(bands * size)
  for (const [index, { hertz }] of tones.entries()) {
    for (let band = 0; band < bands; band += 1) data[band * size + index + 2] = -1 / bands
    data[bandOf(hertz) * size + index + 2]! += 1
  }
  return data
}

const thresholds = (): Float32Array => Float32Array.from({ length: size }, (_, index) => [0, -1000][index] ?? -5)

/** A word that was just said is not said again while its tone goes on. */
const penalties = (): Float32Array => {
  const data = new Float32Array(size * size)
  for (let word = 2; word < size; word += 1) data[word * size + word] = -1000
  return data
}

const encoder = (): Buffer =>
  encodeOnnx({
    inputs: [
      { name: 'x', shape: ['N', frames, bands] },
      { name: 'h', shape: [1, 'N', 4] },
      { name: 'c', shape: [1, 'N', 4] },
    ],
    outputs: [
      { name: 'encoder_out', shape: ['N', 1, size] },
      { name: 'next_h', shape: [1, 'N', 4] },
      { name: 'next_c', shape: [1, 'N', 4] },
    ],
    nodes: [
      { op: 'ReduceMean', inputs: ['x'], outputs: ['mean'], attributes: { axes: [1], keepdims: 1 } },
      { op: 'MatMul', inputs: ['mean', 'weights'], outputs: ['raw'] },
      { op: 'Add', inputs: ['raw', 'thresholds'], outputs: ['encoder_out'] },
      { op: 'Identity', inputs: ['h'], outputs: ['next_h'] },
      { op: 'Identity', inputs: ['c'], outputs: ['next_c'] },
    ],
    constants: [
      { name: 'weights', shape: [bands, size], data: weights() },
      { name: 'thresholds', shape: [size], data: thresholds() },
    ],
    metadata: {
      model_type: 'lstm',
      num_encoder_layers: 1,
      T: frames,
      decode_chunk_len: step,
      rnn_hidden_size: 4,
      d_model: 4,
    },
  })

const decoder = (): Buffer =>
  encodeOnnx({
    inputs: [{ name: 'y', shape: ['N', 1], type: 'int64' }],
    outputs: [{ name: 'decoder_out', shape: ['N', size] }],
    nodes: [
      { op: 'Gather', inputs: ['penalties', 'y'], outputs: ['rows'], attributes: { axis: 0 } },
      { op: 'ReduceMean', inputs: ['rows'], outputs: ['decoder_out'], attributes: { axes: [1], keepdims: 0 } },
    ],
    constants: [{ name: 'penalties', shape: [size, size], data: penalties() }],
    metadata: { context_size: 1, vocab_size: size },
  })

const joiner = (): Buffer =>
  encodeOnnx({
    inputs: [
      { name: 'encoder_out', shape: ['N', size] },
      { name: 'decoder_out', shape: ['N', size] },
    ],
    outputs: [{ name: 'logit', shape: ['N', size] }],
    nodes: [{ op: 'Add', inputs: ['encoder_out', 'decoder_out'], outputs: ['logit'] }],
    constants: [],
    metadata: { joiner_dim: size },
  })

/**
 * Writes a streaming transducer of a few hundred weights, which makes out two tones as the words `low` and `high`:
 * the real engine loads and runs it as it does one of real speech.
 */
export const writeToneModel = async (folder: string): Promise<string> => {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'encoder.onnx'), encoder())
  await writeFile(join(folder, 'decoder.onnx'), decoder())
  await writeFile(join(folder, 'joiner.onnx'), joiner())
  const words = ['<blk>', '<unk>', ...tones.map(({ word }) => `▁${word}`)]
  await writeFile(join(folder, 'tokens.txt'), words.map((word, index) => `${word} ${index}\n`).join(''))
  return folder
}
