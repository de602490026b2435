import type { EndpointSpec } from '../core/endpoint.ts'
import { curlSample } from './curl-sample.ts'
import { goSample } from './go-sample.ts'
import { pythonSample } from './python-sample.ts'
import { requestOf, type SampleRequest } from './request-of.ts'
import type { SampleInput } from './sample-inputs.ts'
import { typescriptSample } from './typescript-sample.ts'

/** The languages of the samples, in the order in which the reference offers them. */
export const sampleLanguages = { curl: 'curl', typescript: 'TypeScript', python: 'Python', go: 'Go' } as const
export type SampleLanguage = keyof typeof sampleLanguages

const makers: Readonly<Record<SampleLanguage, (request: SampleRequest) => string>> = {
  curl: curlSample,
  typescript: typescriptSample,
  python: pythonSample,
  go: goSample,
}

/** A program that makes this request; it finds the service and its key in `BASE_URL` and `API_KEY`. */
export const sampleOf = (language: SampleLanguage, endpoint: EndpointSpec, input: SampleInput): string =>
  makers[language](requestOf(endpoint, input))

/** Whether programs call this: what an API key may. */
export const hasSamples = ({ auth }: EndpointSpec): boolean => auth.some(({ kind }) => kind === 'api_key')
