import type { Section } from './section.ts'

export const peopleSections: readonly Section[] = []
