import { later } from '../../parts/later.tsx'
import type { Section } from './section.ts'

export const houseSections: readonly Section[] = [
  {
    name: 'general',
    title: 'houseSection',
    may: [],
    page: later(async () => (await import('../../rooms/house/house-page.tsx')).HousePage),
  },
]
