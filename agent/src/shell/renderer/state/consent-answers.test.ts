import { describe, expect, it } from 'vitest'
import { answersOf, type ConsentView, stillGood, unanswered } from './consent-answers.ts'

const lane = (name: ConsentView['document']['lanes'][number]['lane'], required = false) => ({
  lane: name,
  required,
  title: name,
  text: name,
})
const lanes = [lane('screen', true), lane('microphone'), lane('camera')]
const view = (changes?: ConsentView['changes']) =>
  ({ document: { lanes, hash: 'h', version: '1', locale: 'en', retentionDays: 90 }, changes }) as ConsentView

describe('answers to the consent document', () => {
  it('are asked for each lane that may be declined, and for no other', () => {
    expect(unanswered(lanes, { camera: false }).map((entry) => entry.lane)).toEqual(['microphone'])
    expect(unanswered(lanes, { camera: false, microphone: true })).toEqual([])
  })

  it('name every lane of the document and nothing else', () => {
    expect(answersOf(lanes, { camera: false, microphone: true, side_view: true })).toEqual({
      screen: true,
      microphone: true,
      camera: false,
    })
  })

  it('outlive a change of another lane only', () => {
    const answers = { microphone: true, camera: false }
    expect(stillGood(answers, view([{ what: 'lane_text', lane: 'camera' }]))).toEqual({ microphone: true })
    expect(stillGood(answers, view([{ what: 'retention', before: '30' }]))).toEqual({})
    expect(stillGood({ ...answers, transcript: true }, view([{ what: 'lane_removed', lane: 'transcript' }]))).toEqual(
      answers,
    )
  })
})
