import { slug } from '@integrity/protocol'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { isReserved, skeletonOf, slugBase } from './slugs.model.ts'

it('slugs that read alike have one skeleton, and others have not', () => {
  for (const [a, b] of [
    ['acme', 'acrne'],
    ['foo', 'f00'],
    ['all', 'a1l'],
    ['a-b', 'ab'],
    ['wave', 'vvave'],
  ] as const)
    expect(skeletonOf(a), `${a} ${b}`).toBe(skeletonOf(b))
  expect(skeletonOf('north')).not.toBe(skeletonOf('south'))
})

it('what is made of any name is a slug once a number stands behind it', () => {
  for (const name of ['Acme', 'Ä Ö', '—', 'x', 'इंटरव्यू', `${'long '.repeat(40)}`, '---a', '\ud800'])
    expect(z.safeParse(slug, `${slugBase(name)}-9999`).success, slugBase(name)).toBe(true)
})

it('a name that is reserved makes a slug that names no second one', () => {
  expect([slugBase('Demo'), slugBase('Admin')]).toEqual(['demo-org', 'admin-org'])
})

it('the names of pages and hosts of the service are reserved', () => {
  for (const name of ['admin', 'api', 'invitation', 'www', 'room']) expect(isReserved(name)).toBe(true)
  expect(isReserved('acme')).toBe(false)
})
