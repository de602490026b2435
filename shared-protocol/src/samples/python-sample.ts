import { pythonLiteral } from './literals.ts'
import type { SampleRequest } from './request-of.ts'

const reading: Readonly<Record<SampleRequest['kind'], string>> = {
  json: `    answer = json.load(response)
print(json.dumps(answer, indent=2))`,
  bytes: `    open("download", "wb").write(response.read())`,
  sse: `    for line in response:
        print(line.decode().rstrip())`,
}

/** With the standard library alone. */
export const pythonSample = ({ method, path, input, contentType, isWrite, kind }: SampleRequest): string => {
  const imports = [
    ...(contentType || kind === 'json' ? ['json'] : []),
    'os',
    'urllib.request',
    ...(isWrite ? ['uuid'] : []),
  ]
  const headers = [
    '"Authorization": "Bearer " + os.environ["API_KEY"],',
    ...(contentType ? [`"Content-Type": ${JSON.stringify(contentType)},`] : []),
    ...(isWrite ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
  ]
  const data = contentType ? `    data=json.dumps(${pythonLiteral(input.body, 1)}).encode(),\n` : ''
  return `${imports.map((name) => `import ${name}\n`).join('')}
request = urllib.request.Request(
    os.environ["BASE_URL"] + ${JSON.stringify(path)},
    method="${method}",
    headers={
${headers.map((line) => `        ${line}\n`).join('')}    },
${data})
with urllib.request.urlopen(request) as response:
${reading[kind]}`
}
