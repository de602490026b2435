import { eventTypes } from '@integrity/protocol'
import { eventExample } from '@integrity/protocol/event-examples'

interface Published {
  readonly id: string
  readonly createdAt: string
}

/** The example of a type as this delivery sends it: with the id and the time of the test that it was published as. */
export const exampleBody = (published: Buffer, eventType: string): Buffer => {
  const type = eventTypes.find((one) => one === eventType)
  if (type === undefined) throw new Error(`${eventType} is no type of the catalogue`)
  const { id, createdAt } = JSON.parse(published.toString('utf8')) as Published
  const example = eventExample(type)
  return Buffer.from(JSON.stringify({ ...example, id, createdAt, data: { ...example.data, example: true } }), 'utf8')
}
