import { parentPort } from 'node:worker_threads'
import { readAnswer } from './saml-client.model.ts'
import type { SamlJob, SamlOutcome } from './saml-reader.parts.ts'
import { SamlRefusal } from './saml-xml.model.ts'

/** Run by `saml-reader.parts.ts` as a thread of its own: one answer of an identity provider for each message. */
const outcomeOf = async ({ settings, provider, given }: SamlJob): Promise<SamlOutcome> => {
  try {
    return { facts: await readAnswer(settings, provider, given) }
  } catch (error) {
    if (error instanceof SamlRefusal) return { refusal: error.reason, said: error.said }
    throw error
  }
}

parentPort?.on('message', (job: SamlJob) => {
  void outcomeOf(job).then((outcome) => parentPort?.postMessage(outcome))
})
