import type { SampleRequest } from './request-of.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In lines where it would be a long one. */
const inLines = (body: unknown): string => {
  const line = JSON.stringify(body)
  return line.length <= 48 ? line : JSON.stringify(body, null, 2)
}

export const curlSample = ({ method, path, input, contentType, kind }: SampleRequest): string => {
  const lines = [
    `curl -s${kind === 'sse' ? 'N' : ''}${method === 'GET' ? '' : ` -X ${method}`} "$BASE_URL${path}"`,
    '-H "Authorization: Bearer $API_KEY"',
    ...(contentType ? [`-H 'Content-Type: ${contentType}'`, `-d ${quoted(inLines(input.body))}`] : []),
  ]
  return lines.join(' \\\n  ')
}
