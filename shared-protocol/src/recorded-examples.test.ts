/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { EndpointSpec } from './core/endpoint.ts'
import { openApiDocument, type RecordedExamples } from './openapi.ts'
import { endpoints } from './registry.ts'

const all = endpoints as readonly EndpointSpec[]
const file = new URL('../generated/examples.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedExamples
const anew = 'if the interface has grown, UPDATE_EXAMPLES=1 npm test -- server/test/invariants/every-endpoint.test.ts'

const answersJson = ({ kind, success }: EndpointSpec): boolean =>
  kind === 'json' && success.some((status) => status !== 204 && status !== 304)

interface Shown {
  readonly content?: Readonly<
    Record<string, { readonly example?: unknown; readonly schema?: { readonly properties?: object } }>
  >
}
interface Shows {
  readonly requestBody?: Shown
  readonly responses: Readonly<Record<string, Shown>>
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Shows>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Shows }>>
  readonly components: { readonly responses: Readonly<Record<string, Shown>> }
}

/** What has no example though it is text; bytes have none. */
/** A body without a field of its own needs none: nothing is sent, or what somebody else's service decides. */
const hasFields = ({ schema }: { readonly schema?: { readonly properties?: object } }): boolean =>
  schema?.properties === undefined || Object.keys(schema.properties).length > 0

const without = ({ content = {} }: Shown): string[] =>
  Object.entries(content)
    .filter(([type, one]) => /json|x-www-form|event-stream/.test(type) && one.example === undefined && hasFields(one))
    .map(([type]) => type)

describe('the examples that a running server took and gave', () => {
  const document = openApiDocument({ examples: recorded }) as unknown as Document

  it('are of endpoints that there are', () => {
    const ids = new Set<string>(all.map(({ id }) => id))
    expect(Object.keys(recorded).filter((id) => !ids.has(id))).toEqual([])
  })

  for (const spec of all.filter(answersJson))
    it(`of ${spec.id} are what its shapes say, and no more`, () => {
      const { request, answer } = recorded[spec.id] ?? {}
      if (request !== undefined && spec.body) expect(z.safeParse(spec.body, request).error, anew).toBeUndefined()
      const data = spec.wire || spec.bare ? answer : (answer as { data?: unknown } | undefined)?.data
      const { data: parsed, error } = z.safeParse(spec.response, data)
      expect(error, anew).toBeUndefined()
      expect(parsed).toEqual(data)
    })

  it('are shown for every body with fields and every answer but files, of each operation and event, and for each refusal', () => {
    const shown: [string, Shown][] = [
      ...all.flatMap((spec): [string, Shown][] => {
        const { requestBody = {}, responses } = document.paths[spec.path]![spec.method.toLowerCase()]!
        return [
          [`${spec.id} body`, requestBody],
          ...Object.entries(spec.kind === 'bytes' ? {} : responses).map(([status, one]): [string, Shown] => [
            `${spec.id} ${status}`,
            one,
          ]),
        ]
      }),
      ...Object.entries(document.webhooks).map(([type, { post }]): [string, Shown] => [type, post.requestBody ?? {}]),
      ...Object.entries(document.components.responses),
    ]
    expect(shown.filter(([, one]) => without(one).length > 0).map(([name]) => name)).toEqual([])
  })
})
