import type { EndpointSpec } from '@integrity/protocol'
import { type AnswerHeaders, Reply } from '../../kernel/handler.ts'
import { checkAnswer } from '../bodies/validate.ts'
import { clearingCookies, settingCookies } from '../callers/portal-cookies.ts'
import type { SentAnswer } from '../idempotency/idempotent.ts'
import type { PipelineParts } from '../pipeline-parts.ts'
import { namesTag } from './etag.ts'
import { successText } from './respond.ts'

const cookieHeaders = ({ cookies }: Reply<unknown>, baseUrl: string): AnswerHeaders => {
  if (cookies === undefined) return {}
  return cookies === 'clear' ? clearingCookies(baseUrl) : settingCookies(cookies, baseUrl)
}

/** What a handler answered as it is sent, held to its declaration; 304 for who has the state that `known` names. */
export const toAnswer = (app: PipelineParts, endpoint: EndpointSpec, result: unknown, known?: string): SentAnswer => {
  const reply = result instanceof Reply ? result : new Reply(result)
  const { etag } = reply
  const headers = { ...reply.headers, ...cookieHeaders(reply, app.config.baseUrl), ...(etag && { ETag: etag }) }
  if (etag && namesTag(known, etag)) return { status: 304, headers, text: '', replayed: false }
  checkAnswer(endpoint, reply.data, app.answerCheck)
  const status = reply.status ?? endpoint.success[0]
  const text = status === 204 ? '' : successText(reply.data, endpoint.wire !== undefined || endpoint.bare)
  return { status, headers, text, replayed: false }
}
