import type { Section } from './section.ts'

export const connectionsSections: readonly Section[] = []
