import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SecurityPolicyDocument, UpdateManifestDocument } from '@integrity/protocol'
import { loopbackAddress } from '../../../shared/test-support/loopback-address.ts'
import type { Signer } from './signer.ts'

export interface DocumentService {
  readonly url: string
  /** Paths with their queries, in order. */
  readonly asked: string[]
  /** From now on a manifest or a policy is answered for what is asked. */
  publish(document: UpdateManifestDocument | SecurityPolicyDocument, by: Signer): void
  /** Nothing but this is answered; undefined for what is published. */
  answers(instead: ((response: ServerResponse, request: IncomingMessage) => void) | undefined): void
  close(): Promise<void>
}

const paths = { update_manifest: '/v1/updates/manifest', security_policy: '/v1/security-policy' } as const

/** The service on loopback, as far as it hands out signed documents. Nothing is published at first. */
export const startDocumentService = async (): Promise<DocumentService> => {
  const asked: string[] = []
  const published = new Map<string, unknown>()
  let answerInstead: ((response: ServerResponse, request: IncomingMessage) => void) | undefined
  const send = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const data = published.get((request.url ?? '').split('?')[0] ?? '')
    const error = { code: 'not_found', message: 'nothing is published' }
    if (answerInstead) answerInstead(response, request)
    else if (data) send(response, 200, { success: true, data, requestId: 'req_1' })
    else send(response, 404, { success: false, error, requestId: 'req_1' })
  })
  const address = loopbackAddress()
  await new Promise<void>((resolve) => {
    server.listen(0, address, resolve)
  })
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}`,
    asked,
    publish: (document, by) => {
      const text = JSON.stringify(document)
      published.set(paths[document.kind], { document: text, signature: by.sign(text), keyId: '0000000000000000' })
    },
    answers: (instead) => {
      answerInstead = instead
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
