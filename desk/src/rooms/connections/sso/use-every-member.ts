import { useCallback, useEffect, useState } from 'react'
import type { ReadResult } from '../../../data/desk-api.ts'
import { problemOf } from '../../../data/problem.ts'
import type { QueryState } from '../../../data/query-store.ts'
import { useDesk } from '../../../parts/desk-context.ts'
import type { Question } from '../../../parts/use-endpoint.ts'

type Member = ReadResult<'portal.members.list'>['items'][number]

/** All active members, a page after the other: what is said of them is said of all. */
export const useEveryMember = (): Question<readonly Member[]> => {
  const { own, org, endedBy } = useDesk()
  const [state, setState] = useState<QueryState<readonly Member[]>>({ name: 'loading' })
  const look = useCallback(async () => {
    const all: Member[] = []
    setState({ name: 'loading' })
    try {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { active: 'true', limit: 100, ...(cursor === undefined ? {} : { cursor }) } as const
        const { data } = await own.call('portal.members.list', { params: { orgId: org.id }, query })
        all.push(...data.items)
        cursor = data.nextCursor
      }
      setState({ name: 'there', data: all, problem: undefined })
    } catch (error) {
      if (!endedBy(error)) setState({ name: 'failed', problem: problemOf(error) })
    }
  }, [own, org.id, endedBy])
  useEffect(() => void look(), [look])
  return { state, again: () => void look() }
}
