/** Just enough of ONNX's protobuf (onnx.proto3) to write small models for tests. */

const varint = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest % 128) + 128)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}

type Field = number | string | Buffer | readonly Buffer[]
/** A message: fields by number. Numbers are varints; an array repeats the field. */
const message = (fields: Readonly<Record<number, Field | undefined>>): Buffer => {
  const parts: Buffer[] = []
  for (const [number, value] of Object.entries(fields)) {
    if (value === undefined) continue
    if (typeof value === 'number') {
      parts.push(Buffer.from([...varint(Number(number) * 8), ...varint(value)]))
      continue
    }
    for (const one of Array.isArray(value) ? (value as readonly Buffer[]) : [Buffer.from(value as string)]) {
      parts.push(Buffer.from([...varint(Number(number) * 8 + 2), ...varint(one.length)]), one)
    }
  }
  return Buffer.concat(parts)
}

const elementTypes = { float: 1, int64: 7 } as const
type ElementType = keyof typeof elementTypes

export interface Tensor {
  readonly name: string
  /** A string is a size that may differ from call to call. */
  readonly shape: readonly (number | string)[]
  readonly type?: ElementType
}

export interface Node {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Integer attributes. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>
}

export interface OnnxModel {
  readonly inputs: readonly Tensor[]
  readonly outputs: readonly Tensor[]
  readonly nodes: readonly Node[]
  readonly constants: readonly {
    readonly name: string
    readonly shape: readonly number[]
    readonly data: Float32Array
  }[]
  readonly metadata: Readonly<Record<string, string | number>>
}

const valueInfo = ({ name, shape, type = 'float' }: Tensor): Buffer => {
  const dimensions = shape.map((size) => (typeof size === 'number' ? message({ 1: size }) : message({ 2: size })))
  const tensor = message({ 1: elementTypes[type], 2: [message({ 1: dimensions })] })
  return message({ 1: name, 2: [message({ 1: [tensor] })] })
}

const attribute = ([name, value]: [string, number | readonly number[]]): Buffer => {
  if (typeof value === 'number') return message({ 1: name, 3: value, 20: 2 })
  const list = Buffer.concat(value.map((one) => Buffer.from([...varint(8 * 8), ...varint(one)])))
  return Buffer.concat([message({ 1: name, 20: 7 }), list])
}

const node = ({ op, inputs, outputs, attributes = {} }: Node): Buffer =>
  message({
    1: inputs.map((name) => Buffer.from(name)),
    2: outputs.map((name) => Buffer.from(name)),
    4: op,
    5: Object.entries(attributes).map(attribute),
  })

export const encodeOnnx = ({ inputs, outputs, nodes, constants, metadata }: OnnxModel): Buffer => {
  const initializers = constants.map(({ name, shape, data }) => {
    const sizes = Buffer.concat(shape.map((size) => Buffer.from([8, ...varint(size)])))
    const raw = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    return Buffer.concat([sizes, message({ 2: 1, 8: name, 9: [raw] })])
  })
  const graph = message({
    1: nodes.map(node),
    2: 'graph',
    5: initializers,
    11: inputs.map(valueInfo),
    12: outputs.map(valueInfo),
  })
  const properties = Object.entries(metadata).map(([key, value]) => message({ 1: key, 2: String(value) }))
  return message({ 1: 8, 7: [graph], 8: [message({ 2: 13 })], 14: properties })
}
