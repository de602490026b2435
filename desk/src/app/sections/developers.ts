import type { Section } from './section.ts'

export const developersSections: readonly Section[] = []
