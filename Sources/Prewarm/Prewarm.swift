// Prewarm
