/* The three gears of ubgears, drawn by OpenGL into the current context. */
#ifndef GEARS_SCENE_H
#define GEARS_SCENE_H

/* Puts the gears into display lists and sets up the light; to be called once. */
void scene_prepare(void);

/* Fits the picture into a window of that size, in pixels; a higher window shows more above and below. */
void scene_fit(int width, int height);

/* Turns the view about the x and the y axis, by that many degrees. */
void scene_turn(double about_x, double about_y);

/*
 * Draws the picture with that number, counted from 0.  In each picture the first gear has turned two degrees further.
 * It has twenty teeth, so every ninth picture is the same.
 */
void scene_draw(unsigned long number);

#endif
