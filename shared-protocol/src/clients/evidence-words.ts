/** What each type of evidence is called in front of a candidate, as texts of a page's catalogue. */
export const evidenceWordsEn = {
  'type.screenshot': 'Pictures of displays',
  'type.screen_clip': 'Recordings of displays',
  'type.audio_chunk': 'Sound of the microphone',
  'type.system_audio_chunk': 'Sound that the computer played',
  'type.camera_frame': 'Pictures of the camera',
  'type.camera_clip': 'Recordings of the camera',
  'type.side_view_clip': "Recordings of the phone's side view",
  'type.placement_photo': "Photos of the phone's place",
} as const

export const evidenceWordsHi = {
  'type.screenshot': 'डिस्प्ले की तस्वीरें',
  'type.screen_clip': 'डिस्प्ले की रिकॉर्डिंग',
  'type.audio_chunk': 'माइक्रोफ़ोन की आवाज़',
  'type.system_audio_chunk': 'कंप्यूटर की बजाई आवाज़',
  'type.camera_frame': 'कैमरे की तस्वीरें',
  'type.camera_clip': 'कैमरे की रिकॉर्डिंग',
  'type.side_view_clip': 'फ़ोन के बगल के दृश्य की रिकॉर्डिंग',
  'type.placement_photo': 'फ़ोन की जगह की तस्वीरें',
} as const
