import { typescriptLiteral } from './literals.ts'
import type { SampleRequest } from './request-of.ts'

const argumentsOf = ({ params, query, body }: SampleRequest['input']): Record<string, unknown> => ({
  ...(params && Object.keys(params).length > 0 ? { params } : {}),
  ...(query ? { query } : {}),
  ...(body ? { body } : {}),
})

/** With the client library, which adds keys and retries. */
export const typescriptSample = (request: SampleRequest): string => {
  const input = argumentsOf(request.input)
  const given = Object.keys(input).length === 0 ? '' : `, ${typescriptLiteral(input)}`
  const call =
    request.kind === 'sse'
      ? 'for await (const event of client.streamEvents({})) console.log(event.type)'
      : `const answer = await client.call('${request.id}'${given})\nconsole.log(answer)`
  return `import { createIntegrityClient } from '@integrity/client'

const { BASE_URL = '', API_KEY = '' } = process.env
const client = createIntegrityClient({ baseUrl: BASE_URL, apiKey: API_KEY })

${call}`
}
