import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/evidence.ts'

export const texts: Translated<typeof en> = {
  'type.screenshot': 'डिस्प्ले की तस्वीरें',
  'type.screen_clip': 'डिस्प्ले की रिकॉर्डिंग',
  'type.audio_chunk': 'माइक्रोफ़ोन की आवाज़',
  'type.system_audio_chunk': 'कंप्यूटर की बजाई आवाज़',
  'type.camera_frame': 'कैमरे की तस्वीरें',
  'type.camera_clip': 'कैमरे की रिकॉर्डिंग',
  'type.side_view_clip': 'फ़ोन के बगल के दृश्य की रिकॉर्डिंग',
  'type.placement_photo': 'फ़ोन की जगह की तस्वीरें',
}
