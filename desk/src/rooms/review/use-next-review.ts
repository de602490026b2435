import { useState } from 'react'
import { useDesk } from '../../parts/desk-context.ts'

/** Leads to the next review that is waiting, beside this one. */
export const useNextReview = (id: string): { readonly go: () => void; readonly none: boolean } => {
  const { own, org, navigation, endedBy } = useDesk()
  const [none, setNone] = useState(false)
  const find = async () => {
    const { data } = await own.call('portal.reviews.list', { params: { orgId: org.id }, query: { limit: 2 } })
    const next = data.items.find(({ sessionId }) => sessionId !== id)
    setNone(next === undefined)
    if (next) navigation.go({ room: 'review', org: org.slug, id: next.sessionId })
  }
  return { go: () => void find().catch(endedBy), none }
}
