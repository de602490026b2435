import type { SampleRequest } from './request-of.ts'

/** Between backquotes, where a Go program has room for lines. */
const raw = (body: unknown): string => {
  const text = JSON.stringify(body, null, 2).replaceAll('`', '\\u0060')
  return `\`${text}\``
}

/** With the standard library alone, formatted as gofmt has it. */
export const goSample = ({ method, path, input, contentType }: SampleRequest): string => {
  const imports = ['io', 'log', 'net/http', 'os', ...(contentType ? ['strings'] : [])]
  const body = contentType ? `\tbody := strings.NewReader(${raw(input.body)})\n` : ''
  const type = contentType ? `\trequest.Header.Set("Content-Type", ${JSON.stringify(contentType)})\n` : ''
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')})

func main() {
${body}\trequest, err := http.NewRequest("${method}", os.Getenv("BASE_URL")+${JSON.stringify(path)}, ${contentType ? 'body' : 'nil'})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
${type}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		log.Fatal(err)
	}
}`
}
