import type { Section } from './section.ts'

export const businessSections: readonly Section[] = []
