import { describe, expect, expectTypeOf, it } from 'vitest'
import { definedJobs } from '../kernel/jobs/define-job.ts'
import type { JobPayloads, Jobs } from '../kernel/jobs.types.ts'
import type { Parts } from '../kernel/parts.ts'
import { GiveUp } from '../platform/give-up.ts'
import { jobDefinitions } from './jobs.ts'

const definitionOf = (wanted: string) => jobDefinitions.find(({ kind }) => kind === wanted)
const firstRun = { id: 'job_1', attempt: 1, signal: new AbortController().signal }

describe('the kinds of jobs', () => {
  it('have one definition each', () => {
    const kinds = jobDefinitions.map(({ kind }) => kind)
    expect(kinds.filter((kind, index) => kinds.indexOf(kind) !== index)).toEqual([])
  })

  it('do not compile while one that is asked for has no definition', () => {
    // @ts-expect-error the kinds of the domains are missing
    expect(definedJobs([])).toEqual([])
  })

  it('fail for good with a payload that is none of theirs, and say which field is wrong', async () => {
    const call = {} as Parts & { scope: never; actor: never }
    const run = definitionOf('invitation.declined')?.run(call, { invitationId: 7 }, firstRun)
    await expect(run).rejects.toThrow(GiveUp)
    await expect(run).rejects.toThrow(/^the payload is none of invitation\.declined: invitationId: /)
  })

  it('are asked for by a kind that there is, with its payload and no other', () => {
    const ask = (queue: Jobs, call: Parameters<Jobs['enqueue']>[0]) => [
      queue.enqueue(call, { kind: 'invitation.declined', payload: { invitationId: 'inv_1' } }),
      // @ts-expect-error there is no such kind
      queue.enqueue(call, { kind: 'invitation.refused', payload: { invitationId: 'inv_1' } }),
      // @ts-expect-error a recurring job is not asked for
      queue.enqueue(call, { kind: 'auth.purge', payload: null }),
      // @ts-expect-error the field has another name
      queue.enqueue(call, { kind: 'invitation.declined', payload: { id: 'inv_1' } }),
      // @ts-expect-error the payload is that of another kind
      queue.enqueue(call, { kind: 'companions.watch', payload: { invitationId: 'inv_1' } }),
    ]
    expectTypeOf(ask).toBeFunction()
    expectTypeOf<JobPayloads['companions.watch']>().toEqualTypeOf<{ companionId: string }>()
  })
})
