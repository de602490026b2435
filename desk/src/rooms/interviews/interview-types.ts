import type { ReadResult } from '../../data/desk-api.ts'

export type Session = ReadResult<'sessions.detail'>
export type Scheduling = ReadResult<'portal.scheduling.get'>
export type Interviewers = ReadResult<'portal.interviewers.list'>
export type Invitation = Scheduling['invitations'][number]

/** What reads differently after an interview was changed. */
export const changedByPlan = [
  'portal.scheduling.get',
  'portal.interviewers.list',
  'sessions.detail',
  'portal.sessions.list',
] as const
