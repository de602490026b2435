import { describe, expect, it } from 'vitest'
import { fieldsThatDiffer, followed } from './use-theirs.ts'

const begun = { name: 'One', note: '', seen: '1' }

describe('a form whose writer meets what somebody else saved', () => {
  it('follows the other wherever nothing was changed', () => {
    const mine = { ...begun, note: 'Typed' }
    expect(followed(begun, mine, { name: 'Two', note: 'Saved', seen: '2' })).toEqual({ name: 'Two', seen: '2' })
  })

  it('names the fields that both filled in differently, in the order of the form, and no others', () => {
    const met = { mine: { ...begun, note: 'Typed' }, theirs: { name: 'Two', note: 'Saved', seen: '2' } }
    expect(fieldsThatDiffer(met, ['note', 'name'])).toEqual(['note', 'name'])
    expect(fieldsThatDiffer({ mine: begun, theirs: { ...begun, seen: '2' } }, ['note', 'name'])).toEqual([])
  })
})
