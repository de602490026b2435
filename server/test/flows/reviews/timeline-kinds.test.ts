import { timelineKinds } from '@integrity/protocol'
import { expect, it } from 'vitest'
import { buildCaptureSession } from '../../test-support/capture-session.ts'
import { packedStill, sendPack } from '../../test-support/packs.ts'
import { anEvent } from '../../test-support/world.ts'
import type { Seat } from '../people/people.test-support.ts'
import { reelsOf } from '../reels/reels.test-support.ts'
import { segment } from '../transcripts/transcripts.test-support.ts'
import { describeReviews } from './reviews.test-support.ts'

type Kind = (typeof timelineKinds)[number]

describeReviews('the timeline with everything that happened', (t) => {
  const reels = reelsOf(() => t.server)
  const timeline = async (
    id: string,
    by: Seat,
    query: { kind?: Kind; limit?: number; from?: string; to?: string } = {},
  ) =>
    (
      await t.people
        .portal()
        .call('portal.timeline', { params: { id }, headers: by.headers, query: { limit: 100, ...query } })
    ).data
  const filled = async (owner: Seat) => {
    const s = await buildCaptureSession(t.server, { config: { audio: { transcript: true }, camera: { clips: true } } })
    const start = await reels.startOf(s)
    await reels.sendStills(s, { count: 2 })
    await sendPack(s, [await packedStill(t.server, { evidenceType: 'camera_frame' })])
    await s.agent.call('agent.transcript.upsert', { params: { id: s.id }, body: { segments: [segment(1)] } })
    await s.agent.call('agent.events.ingest', { params: { id: s.id }, body: { events: [anEvent(t.server)] } })
    await reels.end(s)
    await t.addNote(owner, s.id, { text: 'Here.', anchor: { atMs: 2000 } })
    const note = await t.addNote(owner, s.id, { text: 'Of the whole.' })
    return { s, start, note }
  }

  it('has notes where they point to, moments, and each gap of the account', async () => {
    const owner = await t.seat('owner')
    const { s, start, note } = await filled(owner)
    const { items, total } = await timeline(s.id, owner)
    expect(total).toBe(items.length)
    expect(items.map(({ at }) => at)).toEqual(items.map(({ at }) => at).toSorted())
    const kinds = new Set(items.map(({ kind }) => kind))
    for (const kind of ['speech', 'screenshot', 'camera_frame', 'event', 'note', 'moment', 'gap'] as const)
      expect([...kinds], kind).toContain(kind)
    const notes = items.filter((item) => item.kind === 'note')
    expect(notes.map(({ at, note: { text } }) => [at, text])).toEqual([
      [new Date(start + 2000).toISOString(), 'Here.'],
      [note.createdAt, 'Of the whole.'],
    ])
    expect(items.find((item) => item.kind === 'camera_frame')).toMatchObject({ evidence: { source: 'camera' } })
    const { data: coverage } = await t.people
      .portal()
      .call('portal.coverage', { params: { id: s.id }, headers: owner.headers, query: { limit: 100 } })
    expect(new Set(items.filter((item) => item.kind === 'moment').map(({ moment: { id } }) => id))).toEqual(
      new Set(coverage.items.map(({ id }) => id)),
    )
    const gaps = coverage.lanes.flatMap(({ account }) => account.filter(({ state }) => state === 'gap'))
    expect(items.filter((item) => item.kind === 'gap').length).toBeGreaterThanOrEqual(gaps.length)
  })

  it('is the same by pages, by kind and by periods that follow each other', async () => {
    const owner = await t.seat('owner')
    const { s, start } = await filled(owner)
    const whole = await timeline(s.id, owner)
    const byKind = await Promise.all(timelineKinds.map((kind) => timeline(s.id, owner, { kind })))
    expect(byKind.reduce((sum, { total }) => sum + total, 0)).toBe(whole.total)
    const middle = new Date(start + 2000).toISOString()
    const [before, after] = [await timeline(s.id, owner, { to: middle }), await timeline(s.id, owner, { from: middle })]
    expect([...before.items, ...after.items]).toEqual(whole.items)
    expect(before.total + after.total).toBe(whole.total)
    const pages: unknown[] = []
    for (let offset = 0; offset < whole.total; offset += 3)
      pages.push(
        ...(
          await t.people.portal().call('portal.timeline', {
            params: { id: s.id },
            headers: owner.headers,
            query: { limit: 3, offset },
          })
        ).data.items,
      )
    expect(pages).toEqual(whole.items)
  })

  it('has nothing of the report for who may not read it', async () => {
    const owner = await t.seat('owner')
    const { s } = await filled(owner)
    const holder = await t.holder(['session.view', 'evidence.view'])
    const { items } = await timeline(s.id, holder)
    expect(items.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(['note']))
    expect(items.some(({ kind }) => ['note', 'annotation', 'moment', 'gap'].includes(kind))).toBe(false)
    expect(items.length).toBeGreaterThan(3)
    await expect(timeline(s.id, holder, { kind: 'note' })).rejects.toMatchObject({ code: 'forbidden' })
  })
})
