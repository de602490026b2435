import type { DraftInHand } from '@integrity/shared-ui/hooks/use-draft'
import { useDraft } from '@integrity/shared-ui/hooks/use-draft'
import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'
import { useWrite, type Write } from '../../parts/use-write.ts'
import type { RequestItem } from './request-names.ts'

export interface Answer extends Pick<Write, 'busy' | 'problem'> {
  readonly draft: DraftInHand<{ text: string }>
  readonly sent: boolean
  readonly acknowledge: () => void
  readonly respond: () => void
  readonly approve: () => void
  readonly decline: () => void
  readonly complete: () => void
}

/** What can be done about a request. Words arrive once, however often they have to be sent, and are in no storage of the browser. */
export const useAnswer = ({ id }: RequestItem): Answer => {
  const { own, org, person, pageMemory } = useDesk()
  const draft = useDraft(`answer ${person.user.id} ${id}`, { text: '' }, pageMemory)
  const [sent, setSent] = useState(false)
  const { busy, problem, write } = useWrite(
    'portal.candidateRequests.get',
    'portal.candidateRequests.list',
    'portal.candidateRequests.preview',
    'portal.report',
    'portal.reviews.list',
    'sessions.detail',
  )
  const params = { orgId: org.id, requestId: id }
  const text = draft.words.text.trim()
  const body = text === '' ? {} : { text }
  const once = (act: string) => ({ idempotencyKey: `${draft.once()}-${act}` })
  const run = (act: () => Promise<unknown>, says: boolean) => () => {
    setSent(false)
    write(async () => {
      await act()
      draft.clear()
      setSent(says)
    })
  }
  return {
    busy,
    problem,
    draft,
    sent,
    acknowledge: () => write(() => own.call('portal.candidateRequests.acknowledge', { params, body: {} })),
    respond: run(() => own.call('portal.candidateRequests.respond', { params, body: { text }, ...once('say') }), true),
    approve: run(() => own.call('portal.candidateRequests.approve', { params, body, ...once('approve') }), false),
    decline: run(
      () => own.call('portal.candidateRequests.decline', { params, body: { text }, ...once('decline') }),
      false,
    ),
    complete: run(() => own.call('portal.candidateRequests.complete', { params, body, ...once('read') }), false),
  }
}
