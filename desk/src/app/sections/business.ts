import { later } from '../../parts/later.tsx'
import type { Section } from './section.ts'

export const businessSections: readonly Section[] = [
  {
    name: 'storage',
    title: 'businessStorage',
    may: ['storage.manage'],
    page: later(async () => (await import('../../rooms/business/storage-page.tsx')).StoragePage),
  },
  {
    name: 'usage',
    title: 'businessUsage',
    may: ['insight.view'],
    page: later(async () => (await import('../../rooms/business/usage-page.tsx')).UsagePage),
  },
  {
    name: 'insights',
    title: 'businessInsights',
    may: ['insight.view'],
    page: later(async () => (await import('../../rooms/business/insights-page.tsx')).InsightsPage),
  },
  {
    name: 'plan',
    title: 'businessPlan',
    may: ['billing.manage'],
    page: later(async () => (await import('../../rooms/business/plan-page.tsx')).PlanPage),
  },
  {
    name: 'data-processing',
    title: 'businessProcessing',
    may: ['audit.view'],
    page: later(async () => (await import('../../rooms/business/processing-page.tsx')).ProcessingPage),
  },
  {
    name: 'statement',
    title: 'statementSection',
    may: ['audit.view'],
    page: later(async () => (await import('../../rooms/business/statement-page.tsx')).StatementPage),
  },
  {
    name: 'audit',
    title: 'businessAudit',
    may: ['audit.view'],
    page: later(async () => (await import('../../rooms/business/audit-page.tsx')).AuditPage),
  },
]
